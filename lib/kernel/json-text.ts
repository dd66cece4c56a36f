/** The members of an answer's envelope after `ok`, already written: `"data":[…],"total_items":3`. */
export class JsonText {
  constructor(readonly members: string) {}
}

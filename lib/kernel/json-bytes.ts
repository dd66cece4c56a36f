/** An answer that is already written, envelope and all: `{"ok":true,"data":[…],"total_items":3}`. */
export class JsonBytes {
  constructor(readonly bytes: Uint8Array) {}
}

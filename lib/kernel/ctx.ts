/** For whom a verb runs. Time is not here: it is the database's. */
export interface Ctx {
  userId: string;
  requestId: string;
}

/** The entrances get the database handed in and pass it on to operations; they never touch storage/ themselves. */
export type { Database as DispatchDatabase } from '#storage/database';

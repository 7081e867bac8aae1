/** The lease table for the dispatcher; each call is one statement, so there is no transaction to open here. */
export {
  acquireLanes,
  beatDispatcher,
  type DispatcherRow,
  type LaneKey,
  type LaneRow,
  listDispatchers,
  listLanes,
  readLanesDigest,
  releaseLanes,
  removeDispatcher,
} from '#storage/leases';

/** The oldest data that a search on a replica may see, unless DATABASE_READ_LAG_SECONDS says otherwise. */
export const REPLICA_LAG_SECONDS = 10

import { citext } from '@electric-sql/pglite/contrib/citext'

/** The extensions that migrations may create on the embedded database; a PostgreSQL has its own. */
export const extensions = { citext }

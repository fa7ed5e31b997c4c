import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/** The extensions that migrations can create on the embedded database. PostgreSQL has its own. */
export const extensions = { btree_gist, citext, pg_trgm }

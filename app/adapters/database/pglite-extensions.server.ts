import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'

/** The extensions that migrations may create on the embedded database; a PostgreSQL has its own. */
export const extensions = { btree_gist, citext }

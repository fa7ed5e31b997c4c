import { PGlite } from '@electric-sql/pglite'

/** A process of its own: creates the files of an embedded database in the folder that it is given, and ends. */

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('This file takes the folder to create.')
const pglite = await PGlite.create({ dataDir: folder })
await pglite.close()

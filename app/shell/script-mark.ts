import { createContext } from 'react'

/** The mark of the document's own inline scripts while the server renders it. A browser never sees one. */
export const ScriptMark = createContext<string | undefined>(undefined)

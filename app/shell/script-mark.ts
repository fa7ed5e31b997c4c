import { createContext } from 'react'

/** The mark on the document's own inline scripts during server rendering. It never reaches a browser. */
export const ScriptMark = createContext<string | undefined>(undefined)

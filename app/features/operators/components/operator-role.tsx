import { createContext, type ReactNode, useContext } from 'react'
import { ACTS, type ActName } from '../act-rules.ts'
import { may, mayOpen, type Role } from '../role-rules.ts'

/** The role of the operator who looks at the screen. The frame of the operators' screens provides it. */
export const OperatorRole = createContext<Role | null>(null)

/** The button that proves the operator with a passkey, which belongs to an earlier feature. The frame provides it, too. */
export const OperatorProof = createContext<ReactNode>(null)

/** Returns a function that says whether this operator's role is enough for an act. The server asks the same table. */
export function useMay(): (act: ActName) => boolean {
  const role = useContext(OperatorRole)
  return (act) => role !== null && may(role, ACTS[act].permission)
}

/** Returns a function that says whether this operator's role may open an operators' address. */
export function useMayOpen(): (path: string) => boolean {
  const role = useContext(OperatorRole)
  return (path) => role !== null && mayOpen(role, path)
}

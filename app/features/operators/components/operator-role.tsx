import { createContext, type ReactNode, useContext } from 'react'
import { may, mayOpen, OPERATIONS, type Role } from '../role-rules.ts'
import type { Operation } from '../schema.ts'

/** The role of the operator who looks at the screen. The frame of the operators' screens provides it. */
export const OperatorRole = createContext<Role | null>(null)

/** The button that proves the operator with a passkey, which belongs to an earlier feature. The frame provides it, too. */
export const OperatorProof = createContext<ReactNode>(null)

/** Returns a function that says whether this operator's role is enough for a button. The server asks the same table. */
export function useMay(): (intent: Operation['intent']) => boolean {
  const role = useContext(OperatorRole)
  return (intent) => role !== null && may(role, OPERATIONS[intent].permission)
}

/** Returns a function that says whether this operator's role may open an operators' address. */
export function useMayOpen(): (path: string) => boolean {
  const role = useContext(OperatorRole)
  return (path) => role !== null && mayOpen(role, path)
}

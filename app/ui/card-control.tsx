import { type ComponentType, createContext, use } from 'react'

/** @property labelled with its text beside the icon, where there is room */
type Control = ComponentType<{ id: string; name: string; labelled?: boolean }>

/** The control that each card has besides its link. The frame of the site provides it. */
export const CardControlContext = createContext<Control | null>(null)

/** Renders that control for the card's subject. Renders nothing where no frame provides one. */
export function CardControl(props: { id: string; name: string; labelled?: boolean }) {
  const Control = use(CardControlContext)
  return Control ? <Control {...props} /> : null
}

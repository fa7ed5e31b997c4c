import type { ComponentType } from 'react'

/** @property labelled with its text beside the icon, where there is room */
type Control = ComponentType<{ id: string; name: string; labelled?: boolean }>

let Control: Control | null = null

/**
 * Sets the control that each card has in addition to its link, once, as the frame of the site is loaded. Not in a
 * context, which a card that is rendered once can't read.
 */
export function setCardControl(control: Control): void {
  Control = control
}

/** Renders that control for the card's subject. Renders nothing where no frame has set one. */
export function CardControl(props: { id: string; name: string; labelled?: boolean }) {
  return Control ? <Control {...props} /> : null
}

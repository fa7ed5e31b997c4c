import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { isBeside, useModal } from '../ui/modal.ts'
import { type HeaderProps, nameOf } from './header-props.ts'
import { Logo } from './logo.tsx'

export const DRAWER_ID = 'site-drawer'

/**
 * The side drawer of widths up to 768 px: the header's items with a greeting (Specification, section 2). A link in it closes
 * it, and so does a button marked with `data-closes`.
 */
export function Drawer({
  open,
  onClose,
  brand,
  user,
  children,
}: Pick<HeaderProps, 'brand' | 'user'> & { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useModal(open)
  const close = () => {
    // It may have been opened by the browser itself, before the script knew.
    dialog.current?.close()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      id={DRAWER_ID}
      className="drawer"
      aria-label="Menu"
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) close()
        else if ((event.target as Element).closest('a, [data-closes]')) close()
      }}
    >
      <div className="drawer-head">
        {user ? (
          <>
            <Avatar name={nameOf(user)} url={user.avatarUrl} size={48} />
            <p className="drawer-greeting">Welcome, {nameOf(user)}</p>
          </>
        ) : (
          <Logo brand={brand} />
        )}
        <IconButton label="Close menu" onClick={close}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {children}
    </dialog>
  )
}

import type { ReactNode } from 'react'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { isBeside, useModal } from '../ui/modal.ts'
import { type HeaderProps, nameOf } from './header-props.ts'
import { Logo } from './logo.tsx'

export const DRAWER_ID = 'site-drawer'

/**
 * The side drawer up to 768 px: the header's items with a greeting (Specification, section 2). Its links and buttons
 * marked with `data-closes` close it.
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
    // The browser may have opened it before the script ran, so `open` may still be false.
    dialog.current?.close()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
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
          <Icon name="x" />
        </IconButton>
      </div>
      {children}
    </dialog>
  )
}

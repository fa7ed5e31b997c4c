import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'
import { Spinner } from './spinner.tsx'

/** 'primary' is the waratah: one per screen. 'brand' is for a main step that is not the screen's primary action. */
export type ButtonVariant = 'primary' | 'brand' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

type ButtonLook = {
  /** Default 'secondary'. */
  variant?: ButtonVariant
  /** Default 'medium': 48 px high. */
  size?: ButtonSize
  /** As wide as its container. */
  wide?: boolean
  /** A lucide icon before the text. */
  icon?: ReactNode
}

/** The class names of a button, for the rare element that is neither a Button nor a ButtonLink. */
export function buttonClass({ variant = 'secondary', size = 'medium', wide }: ButtonLook = {}): string {
  return classNames(
    'button',
    `button-${variant}`,
    size !== 'medium' && `button-${size}`,
    wide && 'button-wide',
  )
}

type PressProps = {
  /** While true, presses are ignored, since another step is in progress. Unlike `disabled`, it keeps the focus. */
  waiting?: boolean
}

/** A browser moves the focus of a disabled button to the page's top, so a button that only waits for a response isn't. */
function pressProps(isWaiting: boolean, onClick: ComponentProps<'button'>['onClick']) {
  if (!isWaiting) return { onClick }
  // Enter in a field presses its form's button, so this ignores that, too.
  return { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
}

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook &
  PressProps & {
    /** While true, presses are ignored and a spinner shows with `pendingText`. The button keeps the focus. */
    pending?: boolean
    /** Shown while pending; without it, the usual text stays. */
    pendingText?: string
  }

/** A button. Its `type` defaults to 'button', so that none submits a form by accident. */
export function Button({
  variant,
  size,
  wide,
  icon,
  waiting = false,
  pending = false,
  pendingText,
  disabled,
  onClick,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonClass({ variant, size, wide }), className)}
      disabled={disabled && !pending}
      aria-busy={pending || undefined}
      {...pressProps(waiting || pending, onClick)}
      {...rest}
    >
      {pending ? <Spinner /> : icon}
      {pending && pendingText ? pendingText : children}
    </button>
  )
}

export type ButtonLinkProps = LinkProps & ButtonLook

/** A link that looks like a button: it navigates, while a Button acts. */
export function ButtonLink({ variant, size, wide, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link className={classNames(buttonClass({ variant, size, wide }), className)} {...rest}>
      {icon}
      {children}
    </Link>
  )
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> &
  PressProps & {
    /** The button's accessible name and its tooltip. */
    label: string
    /** With a background and a hairline border, for buttons on pictures. */
    framed?: boolean
  }

/** A round 44 px button with only an icon. */
export function IconButton({
  label,
  framed,
  waiting = false,
  onClick,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classNames('icon-button', framed && 'icon-button-framed', className)}
      {...pressProps(waiting, onClick)}
      {...rest}
    />
  )
}

import { z } from 'zod'

/** Any text, without the spaces around it. */
export const text = z.string().trim()
/** A whole number of seconds, at least 1. */
export const seconds = z.coerce.number().int().positive()
/** A switch. */
export const onOrOff = z.enum(['0', '1'])

/** The names of this machine in addresses. */
export const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

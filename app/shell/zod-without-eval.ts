/**
 * Runs in the document's head, before any form's schema: zod would try whether it may compile code, which our content
 * security policy forbids, and browsers report every try.
 */
export const ZOD_SCRIPT = 'globalThis.__zod_globalConfig={jitless:true}'

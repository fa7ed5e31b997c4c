/**
 * Runs in the document's head before any form's schema. Without it, zod would test whether it may compile code. Our
 * content security policy forbids that, and browsers report every attempt.
 */
export const ZOD_SCRIPT = 'globalThis.__zod_globalConfig={jitless:true}'

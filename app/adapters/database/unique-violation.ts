// PostgreSQL's error code (PostgreSQL, appendix A).
const UNIQUE_VIOLATION = '23505'

/** Whether a statement failed because another row already has the value of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === UNIQUE_VIOLATION
}

import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { FAULT_POINTS, type FaultPointName } from '../adapters/payments/fault-points.ts'
import type { TraceSettings } from '../adapters/traces/opentelemetry.server.ts'
import { loopbackHosts, seconds, text } from './checks.server.ts'

/** The settings of the processes: their addresses, limits, metrics, traces and log. */
export const operationEnvironment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text.optional(),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  STOP_LIMIT_SECONDS: seconds.default(25),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_000).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  SECURITY_EVENTS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  TRUSTED_PROXY: z.enum(['0', '1']).default('0'),
  CRASH_AT: z.enum(FAULT_POINTS).optional(),
  PAGE_CACHE_MB: z.coerce.number().int().min(0).max(65_536).default(64),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a collector that accepts OTLP over HTTP, like http://localhost:4318',
    })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text
    .refine((list) => readHeaders(list) !== null, 'must look like name=value,other=value')
    .optional(),
  OTEL_SERVICE_NAME: text.min(1).default('jubilee'),
  OTEL_TRACES_SAMPLER: z
    .enum(['parentbased_always_on', 'parentbased_traceidratio'])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
})

/** How the processes run and are watched. */
export type OperationConfig = {
  port: number
  host: string
  publicUrl: URL
  /** The number of processes on this machine that share one port. */
  processes: number
  /** How long a stopping process may take to finish its running requests and jobs. */
  stopLimitMs: number
  /** Whether this is the embedded default on a loopback address: demo data, test payments, outbox (Decision 24). */
  demo: boolean
  secret: string
  /** The key of the addresses that the start prints: /outbox and /sandbox. A restart keeps it, and so open tabs. */
  printedKey: string
  /** Whether people use the product at an address of this machine. */
  isLoopback: boolean
  /** Whether to take the client's address from X-Forwarded-For, because our own proxy sets it. */
  trustedProxy: boolean
  /** This process's own port for health and metrics; null to use only the shared port. */
  metricsPort: number | null
  /** The token for /metrics; null to allow only this machine, on a loopback address or at a port of its own. */
  metricsToken: string | null
  /** The token for the stream of the security log; null to answer 404. */
  securityEventsToken: string | null
  /** The point where this process kills itself, to prove that no payment is lost. Only in the demo and in tests. */
  crashAt: FaultPointName | null
  /** The collector for traces; null to record none. */
  traces: TraceSettings | null
  /** The memory of this process's page cache; 0 to render pages for each request. */
  pageCacheBytes: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/**
 * Reads the settings of the processes.
 * @param about.storedSecret the demo's own secret, made at its first start
 */
export function operationConfig(
  set: z.output<typeof operationEnvironment>,
  about: { publicUrl: URL; demo: boolean; isEmulated: boolean; storedSecret: () => string },
): OperationConfig {
  const { publicUrl, demo } = about
  const secret = set.SECRET ?? about.storedSecret()
  return {
    port: set.PORT,
    // The demo has accounts with known passwords, and the emulator takes any token. Both are for this machine alone.
    host: set.HOST ?? (demo || about.isEmulated ? 'localhost' : '0.0.0.0'),
    publicUrl,
    processes: set.WEB_CONCURRENCY,
    stopLimitMs: set.STOP_LIMIT_SECONDS * 1_000,
    demo,
    secret,
    printedKey: printedKeyOf(secret),
    isLoopback: loopbackHosts.has(publicUrl.hostname),
    trustedProxy: set.TRUSTED_PROXY === '1',
    metricsPort: set.METRICS_PORT ?? null,
    metricsToken: set.METRICS_TOKEN ?? null,
    securityEventsToken: set.SECURITY_EVENTS_TOKEN ?? null,
    crashAt: set.CRASH_AT ?? null,
    traces: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: `${set.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
          headers: readHeaders(set.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
          serviceName: set.OTEL_SERVICE_NAME,
          sampledShare:
            set.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio' ? set.OTEL_TRACES_SAMPLER_ARG : 1,
        }
      : null,
    pageCacheBytes: set.PAGE_CACHE_MB * 1024 * 1024,
    // A person starts the demo in a terminal, where only problems are of interest.
    logLevel: set.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  }
}

/** The key of printed addresses, which a restart keeps. */
export function printedKeyOf(secret: string): string {
  return createHmac('sha256', secret).update('printed key').digest('base64url')
}

/** Finds settings of the processes that contradict others, or are missing outside the demo. */
export function operationProblems(
  set: z.output<typeof operationEnvironment> & { DATABASE_URL?: string | undefined },
  { demo, isTest }: { demo: boolean; isTest: boolean },
): string[] {
  const problems: string[] = []
  if (set.WEB_CONCURRENCY > 1 && !set.DATABASE_URL)
    problems.push(
      'WEB_CONCURRENCY: the embedded database serves only one process; set DATABASE_URL to a PostgreSQL to run several',
    )
  if (set.CRASH_AT && !demo && !isTest)
    problems.push('CRASH_AT: only for tests; it kills the server on purpose')
  if (demo) return problems
  if (!set.SECRET) problems.push('SECRET: needed outside the demo; 32 random characters or more')
  if (!set.PUBLIC_URL) problems.push('PUBLIC_URL: needed outside the demo; the address that people use')
  return problems
}

/** Reads OpenTelemetry's list of headers: 'name=value,other=value', with percent-encoded values. */
function readHeaders(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const entry of list.split(',').filter((part) => part.trim())) {
    const [, name, value] = /^([\w-]+)=(.*)$/.exec(entry.trim()) ?? []
    if (!name || value === undefined) return null
    try {
      headers[name] = decodeURIComponent(value)
    } catch {
      return null
    }
  }
  return headers
}

import type { LogEvent } from 'kysely'

/** Our own names, numbers and codes. Spans never contain people's input, personal data or secrets. */
export type SpanAttributes = Record<string, string | number>

export type SpanAbout = {
  name: string
  /** 'server' and 'job' begin a trace. A 'client' call is recorded only inside one. */
  kind: 'server' | 'job' | 'client'
  attributes?: SpanAttributes
  /** The caller's traceparent header (W3C Trace Context), for 'server'. */
  traceparent?: string | null
}

/** The span that work runs in. */
export type RunningSpan = {
  traceId: string | null
  /** Sets the name and attributes that are known only at the end. */
  describe(name: string, attributes: SpanAttributes): void
  /** @param type a code, never a text with personal data */
  fail(type: string): void
}

/** Records the duration and nesting of the product's work for an operator's collector. */
export interface Traces {
  isOn: boolean
  /** Runs work in a child span of the current one. An error marks the span as failed and is rethrown. */
  run<Result>(about: SpanAbout, work: (span: RunningSpan) => Promise<Result>): Promise<Result>
  /** The current trace's id. */
  traceId(): string | null
  /** Called after each statement; null when traces are off. */
  onStatement: ((event: LogEvent) => void) | null
  /** Sends the remaining spans within the time that a stopping process can wait. Never throws. */
  close(): Promise<void>
}

const NO_SPAN: RunningSpan = { traceId: null, describe() {}, fail() {} }

/** Records nothing, and doesn't load OpenTelemetry. */
export const noTraces: Traces = {
  isOn: false,
  run: (_about, work) => work(NO_SPAN),
  traceId: () => null,
  onStatement: null,
  close: async () => {},
}

/**
 * Wraps a service so that each of its outgoing calls runs in a span.
 * @param part the service's name in spans: 'payments' gives 'payments create'
 * @param methods the methods with outgoing calls; spans omit their arguments and results, except a refusal's reason
 */
export function traceCalls<Part extends object>(
  traces: Traces,
  part: string,
  service: Part,
  methods: readonly (keyof Part & string)[],
): Part {
  if (!traces.isOn) return service
  const traced = { ...service }
  for (const method of methods) {
    const call = service[method] as (...given: unknown[]) => Promise<unknown>
    const inSpan = (...given: unknown[]) =>
      traces.run({ name: `${part} ${method}`, kind: 'client' }, async (span) => {
        const answer = await call.apply(service, given)
        if (isRefusal(answer)) span.fail(answer.reason)
        return answer
      })
    traced[method] = inSpan as Part[typeof method]
  }
  return traced
}

function isRefusal(answer: unknown): answer is { ok: false; reason: string } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'ok' in answer &&
    answer.ok === false &&
    'reason' in answer &&
    typeof answer.reason === 'string'
  )
}

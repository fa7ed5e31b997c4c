import type { LogEvent } from 'kysely'

/** Names, numbers and codes of ours alone: what a person typed, what names one or opens something is never in a span. */
export type SpanAttributes = Record<string, string | number>

export type SpanAbout = {
  name: string
  /** 'server' and 'job' begin a trace; a 'client' call is recorded only as a part of one. */
  kind: 'server' | 'job' | 'client'
  attributes?: SpanAttributes
  /** What a caller's header of that name says (W3C Trace Context); for 'server'. */
  traceparent?: string | null
}

/** The span that work runs in. */
export type RunningSpan = {
  traceId: string | null
  /** What is known only at the end. */
  describe(name: string, attributes: SpanAttributes): void
  /** @param type a code, never a text with something of a person's in it */
  fail(type: string): void
}

/** Tells an operator's collector what took how long, and what was a part of what. */
export interface Traces {
  isOn: boolean
  /** Runs work in a span, under the one that is running. What the work throws fails the span and is thrown on. */
  run<Result>(about: SpanAbout, work: (span: RunningSpan) => Promise<Result>): Promise<Result>
  /** The trace that whoever asks is a part of. */
  traceId(): string | null
  /** Told of each statement when it is over; null where nobody wants to know. */
  onStatement: ((event: LogEvent) => void) | null
  /** Sends what is left, for as long as a process that ends can wait. Never throws. */
  close(): Promise<void>
}

const NO_SPAN: RunningSpan = { traceId: null, describe() {}, fail() {} }

/** Nothing is recorded, and nothing of OpenTelemetry is loaded. */
export const noTraces: Traces = {
  isOn: false,
  run: (_about, work) => work(NO_SPAN),
  traceId: () => null,
  onStatement: null,
  close: async () => {},
}

/**
 * The same part of the product, with a span around each of its calls to the outside.
 * @param part its name in the spans: 'payments' gives 'payments create'
 * @param methods those that go outside; what they are given and what they answer stays out of the span, except the
 *   reason of a refusal
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

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { SpanAbout, Traces } from './port.ts'

export type TraceSettings = {
  /** The collector's endpoint for spans. */
  url: string
  /** Extra headers, such as the collector's credentials. */
  headers: Record<string, string>
  serviceName: string
  /** The share of traces to record when no caller has decided: 0 to 1. */
  sampledShare: number
}

// Limits the memory that a slow or unavailable collector costs. Further spans are dropped.
const MAX_WAITING_SPANS = 2_048
const SEND_LIMIT_MS = 5_000
/** Shorter, so that a stopping process isn't delayed. */
const CLOSE_LIMIT_MS = 2_000
/** The limit for attribute values, mostly SQL statements. */
const MAX_TEXT_LENGTH = 4_000

const KINDS = {
  server: SpanKind.SERVER,
  job: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} satisfies Record<SpanAbout['kind'], SpanKind>

/**
 * Traces by OpenTelemetry's own packages, sent as OTLP (JSON over HTTP) in background batches. Spans are created by
 * hand, because the server is one bundle, which automatic instrumentation can't reach.
 * @param report called once when the collector becomes unreachable, and once when it is reachable again
 */
export function createOpenTelemetryTraces(
  settings: TraceSettings,
  report: (what: string, error?: unknown) => void,
): Traces {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: settings.headers,
    timeoutMillis: SEND_LIMIT_MS,
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': settings.serviceName,
        // Each process is its own instance.
        'service.instance.id': randomUUID(),
        'process.pid': process.pid,
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampledShare) }),
    spanLimits: { attributeValueLengthLimit: MAX_TEXT_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(exporter, report),
        maxQueueSize: MAX_WAITING_SPANS,
        exportTimeoutMillis: 2 * SEND_LIMIT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('jubilee')
  const running = new AsyncLocalStorage<Span>()

  function parentOf({ kind, traceparent }: SpanAbout): Context | null {
    if (kind === 'server') {
      const caller = traceparent ? parseTraceParent(traceparent) : null
      return caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT
    }
    // A job always begins a trace: the span that woke the queue is not its parent.
    return kind === 'job' ? ROOT_CONTEXT : presentContext()
  }

  function presentContext(): Context | null {
    const span = running.getStore()
    return span ? trace.setSpan(ROOT_CONTEXT, span) : null
  }

  return {
    isOn: true,
    async run(about, work) {
      const parent = parentOf(about)
      if (!parent) return work({ traceId: null, describe() {}, fail() {} })
      const { name, kind, attributes = {} } = about
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent)
      try {
        return await running.run(span, () =>
          work({
            traceId: span.spanContext().traceId,
            describe(newName, more) {
              span.updateName(newName)
              span.setAttributes(more)
            },
            fail: (type) => failSpan(span, type),
          }),
        )
      } catch (error) {
        failSpan(span, typeOf(error))
        throw error
      } finally {
        span.end()
      }
    },
    traceId: () => running.getStore()?.spanContext().traceId ?? null,
    onStatement(event) {
      const parent = presentContext()
      if (!parent) return
      const { sql } = event.query
      const endedAt = Date.now()
      const span = tracer.startSpan(
        nameOfStatement(sql),
        {
          kind: SpanKind.CLIENT,
          startTime: endedAt - event.queryDurationMillis,
          // The text has placeholders such as $1 instead of values.
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql },
        },
        parent,
      )
      if (event.level === 'error') failSpan(span, typeOf(event.error))
      span.end(endedAt)
    },
    async close() {
      const { promise: tooLong, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, CLOSE_LIMIT_MS)
      await Promise.race([provider.shutdown().catch(() => {}), tooLong])
      clearTimeout(timer)
    },
  }
}

function failSpan(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', type)
}

/** An error's code or class. Messages stay out of spans, because they can repeat personal data such as an address. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name
}

/** The span's name for a statement: 'select businesses', 'insert payments', 'begin'. */
function nameOfStatement(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+"?([a-z_][\w.]*)/i.exec(sql)?.[1]
  return table ? `${verb} ${table}` : verb
}

/** Reports only the first failure and the recovery. The library would report every lost batch. */
function reportFailures(
  exporter: SpanExporter,
  report: (what: string, error?: unknown) => void,
): SpanExporter {
  let isUnavailable = false
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS
        if (failed && !isUnavailable) report('traces can’t be sent and are dropped', error)
        if (!failed && isUnavailable) report('traces can be sent again')
        isUnavailable = failed
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

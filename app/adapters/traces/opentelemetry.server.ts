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
  /** Where spans are posted. */
  url: string
  /** Such as what lets us in there. */
  headers: Record<string, string>
  serviceName: string
  /** How much of what nobody upstream has decided is recorded: 0 to 1. */
  sampledShare: number
}

// A collector that is slow or away costs this much memory and not more: what comes on top is dropped.
const MAX_WAITING_SPANS = 2_048
const SEND_LIMIT_MS = 5_000
/** A process that ends has less patience. */
const CLOSE_LIMIT_MS = 2_000
/** Of a statement, mostly. */
const MAX_TEXT_LENGTH = 4_000

const KINDS = {
  server: SpanKind.SERVER,
  job: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} satisfies Record<SpanAbout['kind'], SpanKind>

/**
 * Traces by OpenTelemetry's own packages, sent as OTLP (JSON by HTTP) in batches beside the work. Spans are made by hand:
 * the server is one bundle, in which nothing could be instrumented from outside.
 * @param report told once when the collector can't be reached, and once when it can be again
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
        // Each process is one of its own.
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
    // Whatever woke the queue up is not what the job is a part of.
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
          // With $1 in the place of each value.
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

/** Messages of errors repeat what they were given, a person's address for one: a code or a class is all that is told. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name
}

/** 'select businesses', 'insert payments', 'begin'. */
function nameOfStatement(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+"?([a-z_][\w.]*)/i.exec(sql)?.[1]
  return table ? `${verb} ${table}` : verb
}

/** The library would tell of each batch that was lost. */
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

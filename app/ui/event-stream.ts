const RETRY_MS = 3_000

/**
 * Keeps a stream of server-sent events open. The event 'over' ends it. If newer streams of the same visitor crowded it
 * out, it reopens when the person comes back to this page.
 * @param address the stream's address, with a query
 * @param options.askedAt when this page asked for the data that it shows, by `performance.now()`: the server reports changes
 *   since then. Left out, the caller asks for its data itself once the stream is open
 * @param options.probe an address that responds with success whenever the server itself is up
 * @param options.onNews called when something changed, or may have changed while the connection was lost
 * @param options.onRefused called when the server is up but refuses the stream, which is then not retried
 * @returns closes the stream
 */
export function openEventStream(
  address: string,
  options: { askedAt?: number; probe: string; onNews: () => void; onRefused: () => void },
): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let lost = false
  let left = false
  let isCrowdedOut = false
  const open = (age = '') => {
    source = new EventSource(address + age)
    source.onmessage = () => options.onNews()
    source.onopen = () => {
      // Changes during the interruption were missed.
      if (lost) options.onNews()
      lost = false
    }
    source.addEventListener('over', (event: MessageEvent<string>) => {
      source.close()
      if (event.data !== 'crowded') return options.onRefused()
      lost = true
      isCrowdedOut = true
    })
    source.onerror = () => {
      lost = true
      // EventSource reconnects after a cut connection, but not after an error response.
      if (source.readyState === EventSource.CLOSED) void findOut()
    }
  }
  const findOut = async () => {
    const isThere = await fetch(options.probe).then(
      (answer) => answer.ok,
      () => false,
    )
    if (left) return
    // Otherwise a proxy has responded for a server that is down or restarting.
    if (isThere) options.onRefused()
    else timer = setTimeout(open, RETRY_MS)
  }
  // Only when the person comes back: if pages reconnected automatically, they would crowd each other out in a loop.
  const comeBack = () => {
    if (!isCrowdedOut || document.visibilityState !== 'visible') return
    isCrowdedOut = false
    open()
  }
  open(options.askedAt === undefined ? '' : `&age=${Math.round(performance.now() - options.askedAt)}`)
  document.addEventListener('visibilitychange', comeBack)
  window.addEventListener('focus', comeBack)
  return () => {
    left = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', comeBack)
    window.removeEventListener('focus', comeBack)
    source.close()
  }
}

const RETRY_MS = 3_000

/**
 * Holds a stream of server-sent events open. The event 'over' ends it. When newer streams of the same visitor crowded it
 * out, it opens again as soon as the person comes back to this page.
 * @param address where the stream is
 * @param options.probe an address that answers well whenever the server itself is there
 * @param options.onNews something changed, or may have while the stream was cut
 * @param options.onRefused the server is there and will not have this stream; it is not tried again
 * @returns closes the stream
 */
export function openEventStream(
  address: string,
  options: { probe: string; onNews: () => void; onRefused: () => void },
): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let lost = false
  let left = false
  let isCrowdedOut = false
  const open = () => {
    source = new EventSource(address)
    source.onmessage = () => options.onNews()
    source.onopen = () => {
      // What changed in between was not heard.
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
      // A cut connection comes back by itself; one that was answered with an error does not.
      if (source.readyState === EventSource.CLOSED) void findOut()
    }
  }
  const findOut = async () => {
    const isThere = await fetch(options.probe).then(
      (answer) => answer.ok,
      () => false,
    )
    if (left) return
    // Otherwise a proxy has answered in the server's place, as while it restarts.
    if (isThere) options.onRefused()
    else timer = setTimeout(open, RETRY_MS)
  }
  // Only when the person comes back: pages that reconnect by themselves would crowd each other out in a loop.
  const comeBack = () => {
    if (!isCrowdedOut || document.visibilityState !== 'visible') return
    isCrowdedOut = false
    open()
  }
  open()
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

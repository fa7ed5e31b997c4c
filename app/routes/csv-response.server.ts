/**
 * Sends a CSV file whose rows are read while it is sent.
 * @param texts the file in stretches
 */
export function csvResponse(name: string, texts: AsyncGenerator<string>): Response {
  return new Response(streamOf(texts), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'private, no-store',
    },
  })
}

/** A response's body that reads the next text only when the one before has been sent. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await texts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Packages segment number `turn`, counted round and round, as CMAF. */
export type Package = (turn: number) => Promise<void>

type Maker = new (...given: readonly unknown[]) => object

/**
 * Segments of six seconds of the video in `file`, packaged by mediabunny; `undefined` where the environment names none.
 * It is no dependency of the project: `npm i --prefix <dir> mediabunny@1.61.0`, then MEDIABUNNY=<dir>/node_modules/mediabunny.
 */
export async function openMediabunny(
  file: string,
  segmentCount: number,
): Promise<Package | undefined> {
  const { MEDIABUNNY } = process.env
  if (MEDIABUNNY === undefined) {
    console.log('Skipped: MEDIABUNNY names no installed mediabunny')
    return undefined
  }
  // Not installed here, so its types are not known here.
  const peer = (await import(`${MEDIABUNNY}/dist/modules/src/index.js`)) as Record<string, Maker>
  const make = (name: string, ...given: readonly unknown[]) => new (peer[name] as Maker)(...given)
  const input = make('Input', {
    source: make('FilePathSource', file),
    formats: peer['ALL_FORMATS'],
  })
  const track = (await call(input, 'getPrimaryVideoTrack')) as object
  const sink = make('EncodedPacketSink', track)
  const config = await call(track, 'getDecoderConfig')
  const starts: unknown[] = []
  for (let segment = 0; segment <= segmentCount; segment += 1)
    starts.push(await call(sink, 'getKeyPacket', segment * 6))
  return async (turn) => {
    const segment = turn % segmentCount
    const target = make('BufferTarget')
    const output = make('Output', {
      format: make('CmafOutputFormat'),
      target,
      initTarget: make('BufferTarget'),
    })
    const source = make('EncodedVideoPacketSource', 'avc')
    await call(output, 'addVideoTrack', source)
    await call(output, 'start')
    const packets = (await call(
      sink,
      'packets',
      starts[segment],
      starts[segment + 1],
    )) as AsyncIterable<unknown>
    for await (const packet of packets) await call(source, 'add', packet, { decoderConfig: config })
    await call(output, 'finalize')
  }
}

async function call(on: object, name: string, ...given: readonly unknown[]): Promise<unknown> {
  return await (on as Record<string, (...given: readonly unknown[]) => unknown>)[name]?.(...given)
}

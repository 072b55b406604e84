/**
 * A file of 1 GB sent to a real service as one staged upload: how much its memory grows, with one and with
 * eight at once, and how fast it is against `cp` and `sha256sum` of the same file on the same disk.
 */
import { join } from 'node:path'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { compare, median, report } from './harness.ts'
import { peakGrowth } from './process-usage.ts'
import { makeDifferent, writeRandom } from './random-file.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const fileBytes = Number(process.env['UPLOAD_MB'] ?? 1000) * 1e6
const atOnce = 8
const megabyte = 1e6

await using directory = await temporaryDirectory()
const file = join(directory.path, 'film.bin')
await writeRandom(file, fileBytes)
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: { MAX_STAGED_GB: '50' },
})
await fetch(`${service.url}/api/core/zones`, {
  method: 'POST',
  headers: account,
  body: '{"Name":"bench"}',
})

const growth: number[] = []
const ratios = await compare({
  title: `${fileBytes / megabyte} MB (MB/s)`,
  ours: {
    name: 'a staged upload',
    async run(round) {
      await makeDifferent(file, round)
      let rate = 0
      growth.push(
        await peakGrowth(
          service.pid,
          async () => void (rate = await timed(() => send(`one-${round}`))),
        ),
      )
      return rate
    },
  },
  peers: [
    {
      name: 'cp and sha256sum',
      run: (round) => timed(() => copyAndHash(join(directory.path, `copy-${round}`))),
    },
  ],
  rounds,
})
await makeDifferent(file, rounds)
const growthOfMany = await peakGrowth(service.pid, async () => {
  await Promise.all(Array.from({ length: atOnce }, (_, index) => send(`many-${index}`)))
})
console.log(`memory grows by ${growth.map(inMegabytes).join(', ')} MB with one upload`)
console.log(`memory grows by ${inMegabytes(growthOfMany)} MB with ${atOnce} at once`)
await report('large-upload', [
  {
    what: 'throughput of a staged upload of 1 GB against `cp` and `sha256sum` of the same file',
    figure: '≥ 0.5x',
    measured: `${ratios.get('cp and sha256sum')?.toFixed(2)}x`,
  },
  {
    what: 'growth of the memory of the process, median, one upload',
    figure: '≤ 40 MB',
    measured: `${inMegabytes(median(growth))} MB`,
  },
  {
    what: `the same, ${atOnce} at once`,
    figure: '≤ 120 MB',
    measured: `${inMegabytes(growthOfMany)} MB`,
  },
])

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(0)
}

async function send(name: string): Promise<void> {
  const url = `${service.url}/api/uploads?path=bench/v1/films/${name}.bin`
  const sent = Bun.spawn(
    ['curl', '-sS', '--fail-with-body', '-X', 'POST', '-T', file, '-H', 'Expect:'].concat([
      '-H',
      `AccessKey: ${access.AccessKey}`,
      '-o',
      '/dev/null',
      url,
    ]),
    { stderr: 'inherit' },
  )
  if ((await sent.exited) !== 0) throw new Error('the upload failed')
}

async function copyAndHash(copy: string): Promise<void> {
  await Bun.$`cp ${file} ${copy} && sha256sum ${copy}`.quiet()
  await Bun.$`rm ${copy}`.quiet()
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return fileBytes / megabyte / ((performance.now() - start) / 1000)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { LineProcess } from './line-process.ts'

/** One transform: an image to a width, encoded. */
export interface Task {
  readonly path: string
  readonly width: number
  readonly format: 'jpeg' | 'webp' | 'avif' | 'png'
  /** Where the result is to be written, if anywhere. */
  readonly output?: string
}

export interface Outcome {
  readonly cpuMs: number
  readonly sizeBytes: number
}

export interface Peer extends AsyncDisposable {
  readonly name: string
  run(task: Task): Promise<Outcome>
}

/** libvips by itself, in C. Needs a C compiler. */
export async function openBareLibvips(directory: string): Promise<Peer | undefined> {
  const compiler = Bun.which('cc') ?? Bun.which('gcc')
  if (compiler === null) return skip('bare libvips', 'a C compiler: apt install gcc')
  const platform = `${process.platform}-${process.arch}`
  const library = join(import.meta.dir, `../../node_modules/@img/sharp-libvips-${platform}/lib`)
  const [name] = [...new Bun.Glob('libvips-cpp.*').scanSync(library)]
  if (name === undefined) return skip('bare libvips', `sharp's libvips for ${platform}`)
  const program = join(directory, 'bare-libvips')
  const source = join(import.meta.dir, 'bare-libvips.c')
  const flags = ['-O2', '-o', program, source, join(library, name), `-Wl,-rpath,${library}`]
  await Bun.$`${compiler} ${flags}`
  return peerOf('bare libvips, imgproxy settings', new LineProcess([program]))
}

/** ipx with its defaults, where `SEDGE_BENCH_IPX` names a directory that it is installed in. */
export function openIpx(): Peer | undefined {
  const directory = process.env['SEDGE_BENCH_IPX']
  const node = Bun.which('node')
  if (directory === undefined || node === null || !existsSync(join(directory, 'node_modules/ipx')))
    return skip('ipx', 'npm install ipx somewhere, and SEDGE_BENCH_IPX=<that directory>')
  const script = join(import.meta.dir, 'ipx-process.mjs')
  return peerOf('ipx, defaults', new LineProcess([node, script, directory]))
}

function peerOf(name: string, lines: LineProcess): Peer {
  return {
    name,
    async run({ path, width, format, output }) {
      const response = await lines.ask(`${path} ${width} ${format} ${output ?? '-'}`)
      const [cpuMicroseconds, sizeBytes] = response.split(' ').map(Number)
      return { cpuMs: (cpuMicroseconds ?? Number.NaN) / 1000, sizeBytes: sizeBytes ?? 0 }
    },
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  }
}

function skip(what: string, needed: string): undefined {
  console.log(`skipped ${what}: it needs ${needed}`)
}

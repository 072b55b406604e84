// Answers lines of "path width format output" with "cpu-microseconds bytes". Run by Node, as ipx is.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [, , directory] = process.argv
const require = createRequire(join(directory, 'package.json'))
const { createIPX, ipxFSStorage } = await import(pathToFileURL(require.resolve('ipx')).href)
const ipxByDirectory = new Map()

for await (const line of createInterface({ input: process.stdin })) {
  const [path, width, format] = line.split(' ')
  const folder = dirname(path)
  if (!ipxByDirectory.has(folder))
    ipxByDirectory.set(folder, createIPX({ storage: ipxFSStorage({ dir: folder }) }))
  const before = process.cpuUsage()
  const image = ipxByDirectory.get(folder)(path.slice(folder.length), { width, format })
  const { data } = await image.process()
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${user + system} ${data.length}\n`)
}

// Stores a file with Strapi's provider for S3, configured by the `config/plugins.js` that is named first.
// Prints the URL that Strapi would keep.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [, , plugins, path] = process.argv
const require = createRequire(import.meta.url)
const env = (name, ifAbsent) => process.env[name] ?? ifAbsent
const { provider, providerOptions, actionOptions } = require(plugins)({ env }).upload.config
const { init } = require(`@strapi/provider-upload-${provider}`)
const bound = init({ ...providerOptions, ...actionOptions })

const content = readFileSync(path)
const file = {
  name: 'photo.png',
  hash: `photo_${createHash('md5').update(content).digest('hex').slice(0, 10)}`,
  ext: '.png',
  mime: 'image/png',
  size: content.length / 1000,
}
const gone = { ...file, hash: 'gone', buffer: content }
await bound.upload(gone)
await bound.delete(gone)
const streamed = { ...file, stream: createReadStream(path) }
await bound.uploadStream(streamed)
console.log(streamed.url)

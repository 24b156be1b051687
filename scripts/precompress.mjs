// Writes a .br and a .gz beside each built file, so that the server never compresses them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = new URL('../build/client/assets/', import.meta.url)
for (const name of readdirSync(folder)) {
  if (!/\.(js|css|svg|json)$/.test(name)) continue
  const bytes = readFileSync(new URL(name, folder))
  if (bytes.length < 1024) continue
  writeFileSync(new URL(`${name}.gz`, folder), gzipSync(bytes, { level: 9 }))
  writeFileSync(
    new URL(`${name}.br`, folder),
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
}

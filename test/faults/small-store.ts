// An object store in memory that speaks as much S3 as the product asks for, for machines without a real one.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Whoever reads an object waits for `beforeReading`. */
export async function startSmallStore(beforeReading = async (_key: string) => {}) {
  const objects = new Map<string, { bytes: Buffer; at: Date }>()
  const uploads = new Map<string, Map<number, Buffer>>()

  const xml = (response: ServerResponse, inside: string, status = 200) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8"?>${inside}`)
  const missing = (response: ServerResponse, code: string) =>
    xml(response, `<Error><Code>${code}</Code></Error>`, 404)

  function list(response: ServerResponse, prefix: string, delimiter: string | null) {
    const folders = new Set<string>()
    let contents = ''
    for (const key of [...objects.keys()].toSorted()) {
      if (!key.startsWith(prefix)) continue
      const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1
      if (end >= 0) folders.add(key.slice(0, end + 1))
      else {
        const at = objects.get(key)!.at.toISOString()
        contents += `<Contents><Key>${escaped(key)}</Key><LastModified>${at}</LastModified></Contents>`
      }
    }
    const prefixes = [...folders].map(
      (one) => `<CommonPrefixes><Prefix>${escaped(one)}</Prefix></CommonPrefixes>`,
    )
    xml(
      response,
      `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}${prefixes.join('')}</ListBucketResult>`,
    )
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string) {
    const found = objects.get(key)
    if (!found) return missing(response, 'NoSuchKey')
    const { bytes } = found
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = from ? bytes.subarray(Number(from), Number(to) + 1) : bytes
    response.writeHead(from ? 206 : 200, {
      'content-length': part.length,
      etag: etagOf(bytes),
      'last-modified': found.at.toUTCString(),
    })
    return response.end(request.method === 'HEAD' ? undefined : part)
  }

  function put(request: IncomingMessage, response: ServerResponse, key: string, bytes: Buffer) {
    const source = request.headers['x-amz-copy-source']
    if (source) {
      const from = objects.get(decodeURIComponent(String(source).replace(/^\/?[^/]+\//, '')))
      if (!from) return missing(response, 'NoSuchKey')
      objects.set(key, { bytes: from.bytes, at: new Date() })
      return xml(response, '<CopyObjectResult><ETag>"copy"</ETag></CopyObjectResult>')
    }
    objects.set(key, { bytes, at: new Date() })
    return response.writeHead(200, { etag: etagOf(bytes) }).end()
  }

  function multipart(
    request: IncomingMessage,
    response: ServerResponse,
    { key, id, number, bytes }: { key: string; id: string; number: number; bytes: Buffer },
  ) {
    const parts = uploads.get(id)
    if (!parts) return missing(response, 'NoSuchUpload')
    const inOrder = [...parts].toSorted(([one], [other]) => one - other)
    switch (request.method) {
      case 'PUT':
        parts.set(number, bytes)
        return response.writeHead(200, { etag: etagOf(bytes) }).end()
      case 'GET':
        return xml(
          response,
          `<ListPartsResult><IsTruncated>false</IsTruncated>${inOrder
            .map(
              ([at, part]) =>
                `<Part><PartNumber>${at}</PartNumber><ETag>${escaped(etagOf(part))}</ETag><Size>${part.length}</Size></Part>`,
            )
            .join('')}</ListPartsResult>`,
        )
      case 'DELETE':
        uploads.delete(id)
        return response.writeHead(204).end()
      default:
        objects.set(key, { bytes: Buffer.concat(inOrder.map(([, part]) => part)), at: new Date() })
        uploads.delete(id)
        return xml(
          response,
          `<CompleteMultipartUploadResult><Key>${escaped(key)}</Key></CompleteMultipartUploadResult>`,
        )
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const bytes = await buffer(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store')
    const [, , ...rest] = pathname.split('/')
    const key = rest.map(decodeURIComponent).join('/')
    const id = searchParams.get('uploadId')
    if (id !== null) {
      const number = Number(searchParams.get('partNumber'))
      return multipart(request, response, { key, id, number, bytes })
    }
    if (request.method === 'POST') {
      const begun = randomUUID()
      uploads.set(begun, new Map())
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (key === '') {
      if (request.method === 'HEAD') return response.writeHead(200).end()
      return list(response, searchParams.get('prefix') ?? '', searchParams.get('delimiter'))
    }
    if (request.method === 'PUT') return put(request, response, key, bytes)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (request.method === 'GET') await beforeReading(key)
    return get(request, response, key)
  }

  const server = createServer((request, response) => {
    // A line that breaks is what this is about.
    answer(request, response).catch(() => response.destroy())
  })
  // A connection that lies idle is closed by who uses it.
  server.keepAliveTimeout = 300_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

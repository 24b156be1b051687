import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { openSms } from './sms.ts'

const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a message with a code follows the gateway nowhere else', async () => {
  let heard = 0
  const elsewhere = await serverThat((_request, response) => {
    heard += 1
    response.end()
  })
  const gateway = await serverThat((_request, response) =>
    response.writeHead(307, { location: elsewhere }).end(),
  )
  const sms = openSms(gateway, createLog('silent'))
  await expect(sms.send({ to: '+4915112345678', text: '123456 is your code.' })).rejects.toThrow()
  expect(heard).toBe(0)
})

// npm run prove:cdn: films through a real cache of others (Debian's nginx), which checks our signatures itself.
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

const isInstalled = () =>
  existsSync('/usr/sbin/nginx') && existsSync('/usr/lib/nginx/modules/ngx_http_js_module.so')

if (!isInstalled() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.log('Installing nginx for the tests...')
  // RUNLEVEL=1: the package would start its server.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await run('apt-get', ['update', '-qq'])
  const install = ['install', '-y', '-qq', '--no-install-recommends']
  await run('apt-get', [...install, 'nginx', 'libnginx-mod-http-js'], { env })
}
if (!isInstalled()) {
  console.log('skipped: no nginx here (Debian’s needs apt and root to be installed)')
  process.exit(0)
}
process.exit(
  await run('vitest', ['run', 'src/domains/media/streams.test.ts', 'test/cdn.test.ts'], {
    env: { TEST_NGINX: '/usr/sbin/nginx' },
  }),
)

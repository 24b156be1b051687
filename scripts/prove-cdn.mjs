// npm run prove:cdn: films through a real cache of others (Debian's nginx), which checks our signatures itself.
import { existsSync } from 'node:fs'
import { install } from './debian.mjs'
import { run } from './run.mjs'

const isInstalled = () =>
  existsSync('/usr/sbin/nginx') && existsSync('/usr/lib/nginx/modules/ngx_http_js_module.so')

if (!isInstalled()) await install('nginx for the tests', ['nginx', 'libnginx-mod-http-js'])
if (!isInstalled()) {
  console.log('skipped: no nginx here (Debian’s needs apt and root to be installed)')
  process.exit(0)
}
process.exit(
  await run('vitest', ['run', 'src/domains/media/streams.test.ts', 'test/cdn.test.ts'], {
    env: { TEST_NGINX: '/usr/sbin/nginx' },
  }),
)

// Before each file: a refused input is described in the product's own sentences also where no server is started, and
// the product has its own name again, whatever the file before called it in the same process.
import { afterAll } from 'vitest'
import { defaultBrand, setBrand } from '../src/domains/site/brand.ts'
import { speakToPeople } from '../src/server/input-messages.ts'
import { doChores } from './after-file.ts'

speakToPeople()
setBrand(defaultBrand)
afterAll(doChores)

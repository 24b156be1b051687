// Before each file: a refused input is described in the product's own sentences also where no server is started, and
// the product has its own name again, whatever the file before called it in the same process.
import { defaultBrand, setBrand } from '../src/domains/site/brand.ts'
import { speakToPeople } from '../src/server/input-messages.ts'

speakToPeople()
setBrand(defaultBrand)

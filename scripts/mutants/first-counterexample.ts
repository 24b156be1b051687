// That a mutant was noticed is enough; nobody reads the smallest case in which it is.
import { configureGlobal } from 'fast-check'

configureGlobal({ endOnFailure: true })

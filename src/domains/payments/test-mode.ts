/** Beside each amount that would be taken for money otherwise. */
export const noMoneyMoved = 'Test mode: no money moved'

/** The same after the last sentence of a notice. */
export const testMark = (isTest: boolean) => (isTest ? ` ${noMoneyMoved}.` : '')

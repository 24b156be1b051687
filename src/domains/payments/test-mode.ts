/** Beside each amount that would be taken for money otherwise. */
export const noMoneyMoved = 'Test mode: no money moved'

/** The powers of ten that doubles hold exactly, by their exponents. */
export const powersOfTen = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

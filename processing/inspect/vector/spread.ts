/** The numbers from 0 to `count` - 1 in an order that spreads every prefix evenly: 0, ½, ¼, ¾ … (van der Corput). */
export function spread(count: number): number[] {
  const bits = Math.ceil(Math.log2(Math.max(2, count)));
  const order: number[] = [];
  for (let i = 0; i < 2 ** bits; i++) {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit++) mirrored = mirrored * 2 + ((i >> bit) & 1);
    if (mirrored < count) order.push(mirrored);
  }
  return order;
}

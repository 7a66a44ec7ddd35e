/** A cell of the tree, and what is in it. Plain data. */
export interface PlannedCell {
  readonly name: string;
  /** West, south, east and north in units. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Where it is divided, in units. */
  readonly middle: readonly [east: number, north: number];
  /** None, or south-west, south-east, north-west and north-east: also where nothing is known to be, as triangles reach there. */
  readonly children: readonly PlannedCell[];
}

/** What a cell of the finest grid holds. */
export interface CellLoad {
  readonly x: number;
  readonly y: number;
  readonly triangles: number;
  /** Pixels of textures that its triangles need. */
  readonly texels: number;
}

export interface CellGrid {
  /** Units of a side of a cell. */
  readonly side: number;
  readonly cells: readonly CellLoad[];
}

export interface CellBudget {
  readonly triangles: number;
  readonly texels: number;
}

/** The cells of several models on the coarsest of their grids; sides are powers of two. */
export function mergeGrids(grids: readonly CellGrid[]): CellGrid {
  const side = Math.max(...grids.map((grid) => grid.side));
  const merged = new Map<string, { x: number; y: number; triangles: number; texels: number }>();
  for (const grid of grids) {
    const times = side / grid.side;
    for (const { x, y, triangles, texels } of grid.cells) {
      const [ownX, ownY] = [Math.floor(x / times), Math.floor(y / times)];
      const key = `${ownX} ${ownY}`;
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { x: ownX, y: ownY, triangles, texels });
      else {
        known.triangles += triangles;
        known.texels += texels;
      }
    }
  }
  return { side, cells: [...merged.values()] };
}

/**
 * Divides the grid by a quadtree until each leaf fits the budget, or is a single cell. The tree begins at the least
 * corner of all cells.
 */
export function planCells({ side, cells }: CellGrid, budget: CellBudget): PlannedCell {
  const low = [Math.min(...pick(cells, 'x')), Math.min(...pick(cells, 'y'))] as const;
  const high = [Math.max(...pick(cells, 'x')), Math.max(...pick(cells, 'y'))] as const;
  const wide = Math.max(high[0] - low[0], high[1] - low[1]) + 1;
  const level = Math.ceil(Math.log2(wide));
  return planCell({ x: low[0], y: low[1], level, name: '0' }, cells, { side, budget });
}

function* pick(cells: readonly CellLoad[], field: 'x' | 'y'): Generator<number> {
  for (const cell of cells) yield cell[field];
}

interface Square {
  readonly x: number;
  readonly y: number;
  /** Its side is 2 to the power of it, in cells. */
  readonly level: number;
  readonly name: string;
}

interface Planning {
  readonly side: number;
  readonly budget: CellBudget;
}

function planCell(
  { x, y, level, name }: Square,
  cells: readonly CellLoad[],
  planning: Planning,
): PlannedCell {
  const { side, budget } = planning;
  const wide = 2 ** level;
  const box = [x * side, y * side, (x + wide) * side, (y + wide) * side] as const;
  const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] as const;
  const load = (field: 'triangles' | 'texels'): number => cells.reduce((sum, cell) => sum + cell[field], 0);
  const fits = load('triangles') <= budget.triangles && load('texels') <= budget.texels;
  if (level === 0 || fits) return { name, box, middle, children: [] };
  const half = wide / 2;
  const quarters: CellLoad[][] = [[], [], [], []];
  for (const cell of cells) quarters[(cell.x >= x + half ? 1 : 0) + (cell.y >= y + half ? 2 : 0)]!.push(cell);
  const children = quarters.map((quarter, i) =>
    planCell(
      { x: x + (i & 1) * half, y: y + (i >> 1) * half, level: level - 1, name: `${name}-${i}` },
      quarter,
      planning,
    ),
  );
  return { name, box, middle, children };
}

/** How many levels are below a cell. */
export function heightOf({ children }: PlannedCell): number {
  return children.reduce((highest, child) => Math.max(highest, heightOf(child) + 1), 0);
}

export function* leavesOf(cell: PlannedCell): Generator<PlannedCell, void> {
  if (cell.children.length === 0) yield cell;
  for (const child of cell.children) yield* leavesOf(child);
}

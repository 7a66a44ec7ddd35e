import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import type { Prism, PrismForm } from './shape.ts';

/** Numbers of the roles of its faces. */
export const prismRoles = {
  roof: surfaceRoles.indexOf('roof'),
  wall: surfaceRoles.indexOf('wall'),
  ground: surfaceRoles.indexOf('ground'),
} as const;

/** @param indices of the outline's triangles @param edges twice their number */
export const prismTriangles = (indices: number, edges: number, hasGround: boolean): number =>
  (indices / 3) * (hasGround ? 2 : 1) + edges;

export const trianglesOfPrism = ({ triangles, edges, hasGround }: Prism): number =>
  prismTriangles(triangles.length, edges.length, hasGround);

/** A prism takes a fifth of the memory of its mesh, which is never made: tiles draw prisms as they are. */
export class PrismRepresentation implements PrismForm {
  readonly error: number;
  readonly prism: Prism;
  readonly hasImages = false;

  constructor(error: number, prism: Prism) {
    this.error = error;
    this.prism = prism;
  }

  get triangles(): number {
    return trianglesOfPrism(this.prism);
  }
}

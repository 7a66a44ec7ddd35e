interface SampleIfc {
  readonly schema?: string;
  /** What says where the model is, as further instances from #100 on. */
  readonly place?: string;
  /** Attributes of the site after `ELEMENT`: latitude, longitude and elevation. */
  readonly site?: string;
  /** Where the site stands in the model, in millimetres. */
  readonly siteAt?: string;
  /** Where north is, as a direction. */
  readonly north?: string;
}

/**
 * A wall in millimetres on a ground floor, 10 m along x, 0.2 m along y from 0, 3 m high from 0.5 m up, brick red, with a
 * property set of its own and one of its type.
 */
export const ifcOfWall = ({
  schema = 'IFC4',
  place = '',
  site = '$,$,$',
  siteAt = '(0.,0.,0.)',
  north = '(0.,1.)',
}: SampleIfc = {}): string => `ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [ReferenceView]'),'2;1');
FILE_NAME('wall.ifc','2026-11-27T00:00:00',('Platen'),('Platen'),'Platen','Platen','');
FILE_SCHEMA(('${schema}'));
ENDSEC;
DATA;
#1=IFCPERSON($,'Doe',$,$,$,$,$,$);
#2=IFCORGANIZATION($,'Platen',$,$,$);
#3=IFCPERSONANDORGANIZATION(#1,#2,$);
#4=IFCAPPLICATION(#2,'1','Platen','Platen');
#5=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,$,$,0);
#10=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#11=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);
#12=IFCUNITASSIGNMENT((#10,#11));
#20=IFCCARTESIANPOINT((0.,0.,0.));
#21=IFCDIRECTION((0.,0.,1.));
#22=IFCDIRECTION((1.,0.,0.));
#23=IFCAXIS2PLACEMENT3D(#20,#21,#22);
#24=IFCDIRECTION(${north});
#25=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#23,#24);
#26=IFCGEOMETRICREPRESENTATIONSUBCONTEXT('Body','Model',*,*,*,*,#25,$,.MODEL_VIEW.,$);
#30=IFCPROJECT('0$ScRe4drECQ4DMSqUjd6d',#5,'House',$,$,$,$,(#25),#12);
#27=IFCCARTESIANPOINT(${siteAt});
#28=IFCAXIS2PLACEMENT3D(#27,#21,#22);
#29=IFCLOCALPLACEMENT($,#28);
#31=IFCLOCALPLACEMENT($,#23);
#32=IFCSITE('1$ScRe4drECQ4DMSqUjd6d',#5,'Site',$,$,#29,$,$,.ELEMENT.,${site},$,$);
#33=IFCBUILDING('2$ScRe4drECQ4DMSqUjd6d',#5,'House 1',$,$,#31,$,$,.ELEMENT.,$,$,$);
#34=IFCRELAGGREGATES('3$ScRe4drECQ4DMSqUjd6d',#5,$,$,#30,(#32));
#35=IFCRELAGGREGATES('4$ScRe4drECQ4DMSqUjd6d',#5,$,$,#32,(#33));
#36=IFCBUILDINGSTOREY('5$ScRe4drECQ4DMSqUjd6d',#5,'Ground floor',$,$,#31,$,$,.ELEMENT.,0.);
#37=IFCRELAGGREGATES('6$ScRe4drECQ4DMSqUjd6d',#5,$,$,#33,(#36));
#40=IFCCARTESIANPOINT((5000.,100.));
#41=IFCAXIS2PLACEMENT2D(#40,$);
#42=IFCRECTANGLEPROFILEDEF(.AREA.,$,#41,10000.,200.);
#43=IFCEXTRUDEDAREASOLID(#42,#23,#21,3000.);
#44=IFCSHAPEREPRESENTATION(#26,'Body','SweptSolid',(#43));
#45=IFCPRODUCTDEFINITIONSHAPE($,$,(#44));
#46=IFCCARTESIANPOINT((0.,0.,500.));
#47=IFCAXIS2PLACEMENT3D(#46,#21,#22);
#48=IFCLOCALPLACEMENT(#31,#47);
#49=IFCWALL('7$ScRe4drECQ4DMSqUjd6d',#5,'Stra\\X2\\00DF\\X0\\enwand',$,$,#48,#45,'W-1'${schema === 'IFC2X3' ? '' : ',.STANDARD.'});
#50=IFCRELCONTAINEDINSPATIALSTRUCTURE('8$ScRe4drECQ4DMSqUjd6d',#5,$,$,(#49),#36);
#51=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);
#52=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F90'),$);
#53=IFCPROPERTYSET('9$ScRe4drECQ4DMSqUjd6d',#5,'Pset_WallCommon',$,(#51,#52));
#54=IFCRELDEFINESBYPROPERTIES('A$ScRe4drECQ4DMSqUjd6d',#5,$,$,(#49),#53);
#55=IFCQUANTITYAREA('NetSideArea',$,$,30.${schema === 'IFC2X3' ? '' : ',$'});
#56=IFCELEMENTQUANTITY('B$ScRe4drECQ4DMSqUjd6d',#5,'Qto_WallBaseQuantities',$,$,(#55));
#57=IFCRELDEFINESBYPROPERTIES('C$ScRe4drECQ4DMSqUjd6d',#5,$,$,(#49),#56);
#58=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F30'),$);
#59=IFCPROPERTYSINGLEVALUE('Manufacturer',$,IFCLABEL('Bricks'),$);
#60=IFCPROPERTYSET('D$ScRe4drECQ4DMSqUjd6d',#5,'Pset_WallCommon',$,(#58,#59));
#61=IFCWALLTYPE('E$ScRe4drECQ4DMSqUjd6d',#5,'Brick wall',$,$,(#60),$,$,$,.STANDARD.);
#62=IFCRELDEFINESBYTYPE('F$ScRe4drECQ4DMSqUjd6d',#5,$,$,(#49),#61);
#70=IFCCOLOURRGB($,0.8,0.2,0.1);
#71=IFCSURFACESTYLERENDERING(#70,0.,$,$,$,$,$,$,.NOTDEFINED.);
#72=IFCSURFACESTYLE('Brick',.BOTH.,(#71));
#73=IFCSTYLEDITEM(#43,(#72),$);
${place}
ENDSEC;
END-ISO-10303-21;
`;

/** A map conversion to UTM 32N, turned by 90° counter-clockwise, with this scale. @param unit the unit of the map: `$`, or an instance */
export const mapConversion = (
  scale: string,
  unit = '$',
): string => `#100=IFCPROJECTEDCRS('EPSG:25832',$,'ETRS89','DHHN2016','UTM','32N',${unit});
#101=IFCMAPCONVERSION(#25,#100,690000.,5335000.,520.,0.,1.,${scale});
#102=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);`;

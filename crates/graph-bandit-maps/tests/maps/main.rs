//! Maps of every format: as other programs write them, round trips, damaged and hostile files.

mod fixtures;
mod fuzz;
mod geojson;
mod graphml;
mod hostile;
mod osm;
mod pbf;
mod refused_roads;
mod road_trips;
mod round_trips;
mod samples;
mod travel;

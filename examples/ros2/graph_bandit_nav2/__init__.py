"""A robot that asks `gbandit serve` where to go, drives with Nav2, and tells what it found."""

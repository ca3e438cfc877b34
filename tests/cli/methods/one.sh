covey methods mondrian
